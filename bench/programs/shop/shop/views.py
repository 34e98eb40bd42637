"""The pages."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.generic import ListView

from shop.models import Ware


class WareList(ListView):
    model = Ware
    template_name = "shop/list.html"


def ware(request, number):
    found = get_object_or_404(Ware, pk=number)
    return render(request, "shop/ware.html", {"ware": found, "left": found.stock.amount})


def buy(request, number):
    found = get_object_or_404(Ware, pk=number)
    found.stock.amount -= 1
    found.stock.save()
    return redirect("ware", number=number)


def basket(request):
    return HttpResponse(str(request.basket.total()))


def change(request, number):
    from shop.forms import WareForm

    form = WareForm(instance=get_object_or_404(Ware, pk=number))
    return render(request, "shop/change.html", {"form": form, "title": form.fields["price"].label})
