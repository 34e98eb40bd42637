"""What follows a change."""

from django.db.models.signals import post_save
from django.dispatch import receiver

from shop.models import Stock, Ware


@receiver(post_save, sender=Ware)
def keep_stock(sender, instance, created, **_rest):
    if created:
        Stock.objects.create(ware=instance, amount=3)
