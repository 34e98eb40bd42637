"""What a visitor fills in."""

from django import forms

from shop.models import Ware


class WareForm(forms.ModelForm):
    class Meta:
        model = Ware
        fields = ("name", "price")
