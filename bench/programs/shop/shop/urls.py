"""The addresses."""

from django.urls import path

from shop import views

urlpatterns = [
    path("", views.WareList.as_view(), name="list"),
    path("wares/<int:number>/", views.ware, name="ware"),
    path("wares/<int:number>/buy/", views.buy, name="buy"),
    path("wares/<int:number>/change/", views.change, name="change"),
    path("basket/", views.basket, name="basket"),
]
