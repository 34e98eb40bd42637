"""Visits every page."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "shop.settings"
try:
    django.setup()
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", run_syncdb=True, verbosity=0)
    from shop.models import Maker, Ware

    ware = Ware.objects.create(name="Jug", price=250, maker=Maker.objects.create(name="Ada"))
    client = Client(raise_request_exception=False)
    for page in ("/", f"/wares/{ware.pk}/", "/basket/", f"/wares/{ware.pk}/change/"):
        client.get(page)
    Client(raise_request_exception=False).post(f"/wares/{ware.pk}/buy/")
    Client(raise_request_exception=False, enforce_csrf_checks=False).post(f"/wares/{ware.pk}/buy/")
except Exception:
    sys.excepthook(*sys.exc_info())
