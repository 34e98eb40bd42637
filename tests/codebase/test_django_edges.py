"""The edges of Django and its front end: one small project, and a near twin of each edge that must not match."""

from __future__ import annotations

import pytest

from tests.codebase.frames import frames, makes

PROJECT = {
    "site/settings.py": (
        "INSTALLED_APPS = [\n    'django.contrib.admin',\n    'shop.apps.ShopConfig',\n]\n"
        "MIDDLEWARE = ['shop.middleware.Timing', 'shop.middleware.Missing']\n"
        "ROOT_URLCONF = 'site.urls'\nAUTH_USER_MODEL = 'shop.User'\n"
    ),
    "site/urls.py": (
        "from django.urls import include, path\nfrom shop import views\n"
        "urlpatterns = [\n    path('', views.home, name='home'),\n    path('shop/', include('shop.urls')),\n]\n"
        "urlpatterns += [path('late/', views.late)]\n"
    ),
    "shop/__init__.py": "",
    "shop/apps.py": "from django.apps import AppConfig\nclass ShopConfig(AppConfig):\n    name = 'shop'\n",
    "shop/middleware.py": "class Timing:\n    pass\n",
    "shop/urls.py": (
        "from django.contrib.auth.decorators import login_required\nfrom django.urls import path, re_path\n"
        "from shop import views\nfrom rest_framework.routers import DefaultRouter\n"
        "router = DefaultRouter()\nrouter.register('wares', views.WareSet, basename='ware')\n"
        "app_name = 'shop'\nurlpatterns = [\n"
        "    path('<int:pk>/', login_required(views.Detail.as_view()), name='detail'),\n"
        "    re_path(r'^list/(?P<page>[0-9]+)/$', views.listing, name='list'),\n"
        "    *router.urls,\n]\n"
    ),
    "shop/views.py": (
        "from django.views.generic import DetailView, ListView\nfrom shop.models import Ware\n"
        "def home(request):\n    pass\ndef late(request):\n    pass\ndef listing(request, page):\n    pass\n"
        "class Detail(DetailView):\n    template_name = 'shop/ware.html'\n"
        "class WareSet:\n    pass\n"
        "class Wares(ListView):\n    model = Ware\n"
    ),
    "shop/models.py": (
        "from django.conf import settings\nfrom django.db import models\n"
        "class User(models.Model):\n    pass\n"
        "class Ware(models.Model):\n    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)\n"
        "    kind = models.ForeignKey('shop.Kind', models.CASCADE, related_name='wares')\n"
        "    other = models.ForeignKey('self', models.CASCADE)\n"
        "    far = models.ForeignKey('bank.Kind', models.CASCADE)\n"
        "class Kind(models.Model):\n    pass\n"
    ),
    "shop/templates/shop/base.html": "<main>\n{% block main %}\n<p>\n</p>\n{% endblock %}\n</main>\n",
    "shop/templates/shop/ware.html": "<p>{{ object }}</p>\n",
    "shop/templates/shop/ware_list.html": "<p>{{ object_list }}</p>\n",
    "shop/templates/shop/_row.html": "<tr></tr>\n",
    "shop/static/shop/cart.js": (
        "document.addEventListener('alpine:init', () => {\n  Alpine.data('cart', () => ({ open: false }));\n});\n"
        "function total(rows) {\n  return rows;\n}\nfetch(`/shop/list/${page}/`);\nfetch('/nowhere/');\n"
    ),
    "shop/templatetags/__init__.py": "",
    "shop/templatetags/money.py": (
        "from django import template\nregister = template.Library()\n"
        "@register.filter\ndef euro(value):\n    return value\n"
        "@register.simple_tag(name='vat')\ndef tax(value):\n    return value\n"
        "@register.inclusion_tag('shop/_row.html')\ndef row(ware):\n    return {}\n"
    ),
}
VIEWS, MODELS, PAGES = "shop/views.py::", "shop/models.py::", "shop/templates/shop/"


def from_code(body: str) -> set[tuple[str, str, str]]:
    """The edges from a function with this body."""
    head = "from django.shortcuts import redirect, render\nfrom django.urls import reverse\n"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return makes({**PROJECT, "shop/code.py": f"{head}def f(request, x):\n{lines}"}, "shop/code.py::f")


def from_page(text: str) -> set[tuple[str, str, str]]:
    """The edges from a template with this text."""
    return makes({**PROJECT, f"{PAGES}page.html": text}, f"{PAGES}page.html::")


def test_routes_lead_to_views() -> None:
    assert sorted(frames(PROJECT, "site/urls.py::"), key=lambda edge: edge[2]) == [
        ("routes", f"{VIEWS}home", 4),
        ("routes", "shop/urls.py::", 5),
        ("routes", f"{VIEWS}late", 7),
    ]
    assert {edge[:2] for edge in frames(PROJECT, "shop/urls.py::") if edge[0] == "routes"} == {
        *[("routes", f"{VIEWS}Detail"), ("routes", f"{VIEWS}listing"), ("routes", f"{VIEWS}WareSet")],
    }


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("reverse('home')", "home"),
        ("reverse('shop:detail', args=[1])", "Detail"),
        ("redirect('shop:list', page=1)", "listing"),
        ("redirect('/shop/7/')", "Detail"),
        ("reverse('shop:ware-list')", "WareSet"),
    ],
)
def test_names_of_routes_lead_to_views(body: str, target: str) -> None:
    assert from_code(body) == {("links", VIEWS + target, "exact")}


@pytest.mark.parametrize(
    "body", ["reverse('shop:home2')", "redirect('/shop/x/y/')", "x.title('home')", "'home'", "reverse(x)"]
)
def test_what_only_looks_like_a_route_is_none(body: str) -> None:
    assert not from_code(body)


def test_a_name_without_its_namespace_is_certain_by_name_only() -> None:
    assert from_code("reverse('other:detail')") == {("links", f"{VIEWS}Detail", "by name")}


def test_views_render_templates() -> None:
    ware = ("renders", f"{PAGES}ware.html::", "exact")
    assert from_code("return render(request, 'shop/ware.html')") == {ware}
    assert not from_code("return render(request, 'bank/ware.html')")
    assert not from_code("# return render(request, 'shop/ware.html')")
    assert makes(PROJECT, f"{VIEWS}Detail") == {ware}
    assert makes(PROJECT, "shop/templatetags/money.py::row") == {("renders", f"{PAGES}_row.html::", "exact")}


def test_a_generic_view_renders_the_template_of_its_model() -> None:
    assert makes(PROJECT, f"{VIEWS}Wares") == {
        ("relates", f"{MODELS}Ware", "exact"),
        ("renders", f"{PAGES}ware_list.html::", "inferred"),
    }


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("{% extends 'shop/base.html' %}", ("includes", f"{PAGES}base.html::", "exact")),
        ('{% include "shop/_row.html" with a=1 only %}', ("includes", f"{PAGES}_row.html::", "exact")),
        ("<a href=\"{% url 'shop:detail' pk=1 %}\">x</a>", ("links", f"{VIEWS}Detail", "exact")),
        ("<b hx-get=\"{% url 'home' %}\">x</b>", ("links", f"{VIEWS}home", "exact")),
        ('<b hx-post="/shop/list/{{ page }}/?a=1">x</b>', ("links", f"{VIEWS}listing", "inferred")),
        ('<form method="post" action="/late/">x</form>', ("links", f"{VIEWS}late", "exact")),
        ("<script>fetch('/late/')</script>", ("links", f"{VIEWS}late", "exact")),
        (
            "{% load static %}<script src=\"{% static 'shop/cart.js' %}\"></script>",
            ("loads", "shop/static/shop/cart.js::", "exact"),
        ),
        ("{% load money %}", ("loads", "shop/templatetags/money.py::", "exact")),
        ("{% load money %}{{ x|euro }}", ("calls", "shop/templatetags/money.py::euro", "exact")),
        ("{% load money %}{% vat x as y %}", ("calls", "shop/templatetags/money.py::tax", "exact")),
        ("{{ x|euro }}", ("calls", "shop/templatetags/money.py::euro", "by name")),
        ('<div x-data="cart()">x</div>', ("calls", "shop/static/shop/cart.js::", "exact")),
        ('<div x-data="cart">x</div>', ("calls", "shop/static/shop/cart.js::", "exact")),
        ('<b @click="total(1)">x</b>', ("calls", "shop/static/shop/cart.js::total", "by name")),
    ],
)
def test_templates_lead_on(text: str, edge: tuple[str, str, str]) -> None:
    assert edge in from_page(f"{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "{# {% include 'shop/_row.html' %} #}",
        "{% comment %}{% url 'home' %}{% endcomment %}",
        "{% verbatim %}{% url 'home' %}{% endverbatim %}",
        "{% include template %}",
        "{% include 'bank/_row.html' %}",
        "{% url name %}",
        "<!-- <b hx-get='/late/'></b> -->",
        "<b data-x='/late/'>x</b>",
        "<form action='https://example.org/late/'>x</form>",
        "<form action='/{{ a }}/'>x</form>",
        "{{ x|default:'|euro' }}",
        "{{ 'euro' }}",
        '<div x-data="{ cart: 1 }">x</div>',
        "{% load static %}{% static 'bank/cart.js' %}",
        "<b @click=\"alert('total(1)')\">x</b>",
    ],
)
def test_what_only_looks_like_an_edge_is_none(text: str) -> None:
    assert not from_page(f"{text}\n")


def test_a_block_takes_the_place_of_one_above() -> None:
    text = "{% extends 'shop/base.html' %}\n{% block main %}\n<p>\n</p>\n{% endblock %}\n"
    found = makes({**PROJECT, f"{PAGES}page.html": text}, f"{PAGES}page.html::main")
    assert found == {("overrides", f"{PAGES}base.html::main", "exact")}


def test_scripts_lead_to_views() -> None:
    assert makes(PROJECT, "shop/static/shop/cart.js::") == {("links", f"{VIEWS}listing", "inferred")}


def test_models_are_found_by_their_labels() -> None:
    assert makes(PROJECT, f"{MODELS}Ware") == {
        ("relates", f"{MODELS}User", "exact"),
        ("relates", f"{MODELS}Kind", "exact"),
    }


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        ("Kind.objects.get(pk=x).wares.all()", {"exact"}),
        ("Kind.objects.filter(wares__owner=x)", {"exact"}),
        ("User.objects.prefetch_related('ware_set')", {"exact"}),
        ("Kind.objects.all().order_by('-wares__price')", {"exact"}),
        ("Kind.objects.values_list('wares__owner', flat=True)", {"exact"}),
        ("Kind.objects.annotate(number=Count('wares'))", {"exact"}),
        ("Kind.objects.annotate(number=(Count or Sum)('wares'))", set[str]()),
        ("Kind.objects.filter(~Q(name='a') & Q(wares__owner=x))", {"exact"}),
        ("Kind.objects.annotate(best=Max(F('wares__price')))", {"exact"}),
        ("Kind.objects.annotate(wares=Count('name'))", set[str]()),
        ("Kind.objects.order_by('name')", set[str]()),
        ("Kind.objects.filter(name=say('wares'))", set[str]()),
        ("User.objects.annotate(number=Count('wares'))", set[str]()),
        ("kind = Kind()\nkind.wares.first()", {"exact"}),
        ("x.wares.all()", {"by name"}),
        ("User.objects.get(pk=x).wares.all()", set[str]()),
        ("Kind.objects.filter(owner=x)", set[str]()),
        ("x.ware.all()", set[str]()),
        ("'x.wares'", set[str]()),
    ],
)
def test_a_relation_leads_back_by_its_name(body: str, edges: set[str]) -> None:
    found = from_code(f"from shop.models import Kind, User\n{body}")
    assert {certainty for kind, _, certainty in found if kind == "relates"} == edges
    assert {target for kind, target, _ in found if kind == "relates"} <= {f"{MODELS}Ware"}


def test_a_name_that_is_something_else_too_says_nothing_alone() -> None:
    again = (
        "from django.db import migrations, models\nclass Migration(migrations.Migration):\n"
        "    operations = [models.ForeignKey('shop.Kind', models.CASCADE, related_name='wares')]\n"
    )
    code = "from django.db import models\ndef f(x):\n    return x.wares.all()\n"
    files = {**PROJECT, "shop/code.py": code, "shop/migrations/0001_first.py": again}
    assert {one[0] for one in makes(files, "shop/code.py::f")} == {"relates"}
    assert not makes({**files, "shop/bag.py": "class Bag:\n    def wares(self):\n        pass\n"}, "shop/code.py::f")


def test_forms_and_administration_name_their_models() -> None:
    text = (
        "from django import forms\nfrom django.contrib import admin\nfrom django.apps import apps\n"
        "from shop.models import Kind, Ware\n"
        "class WareForm(forms.ModelForm):\n    class Meta:\n        model = Ware\n"
        "@admin.register(Kind)\nclass KindAdmin(admin.ModelAdmin):\n    pass\n"
        "class WareAdmin(admin.ModelAdmin):\n    pass\nadmin.site.register(Ware, WareAdmin)\n"
        "def f():\n    return apps.get_model('shop', 'Kind')\n"
    )
    files = {**PROJECT, "shop/admin.py": text}
    assert ("relates", f"{MODELS}Ware", 7) in frames(files, "shop/admin.py::WareForm")
    assert ("relates", f"{MODELS}Kind", 8) in frames(files, "shop/admin.py::KindAdmin")
    assert ("relates", f"{MODELS}Ware", 13) in frames(files, "shop/admin.py::WareAdmin")
    assert ("relates", f"{MODELS}Kind", "exact") in makes(files, "shop/admin.py::f")


def test_signals_lead_to_their_receivers() -> None:
    text = (
        "from django.db.models.signals import post_save\nfrom django.dispatch import Signal, receiver\n"
        "from shop.models import Ware\nsold = Signal()\n"
        "@receiver(post_save, sender=Ware)\ndef saved(**given):\n    pass\n"
        "@receiver(sold)\ndef told(**given):\n    pass\n"
        "def later(**given):\n    pass\n"
        "def ready(other):\n    post_save.connect(later, sender=Ware)\n    other.connect(told)\n"
    )
    files = {
        **PROJECT,
        "shop/signals.py": text,
        "shop/sale.py": "from shop.signals import sold\ndef f(mail):\n    sold.send(None)\n    mail.send(1)\n",
    }
    assert ("relates", f"{MODELS}Ware", "exact") in makes(files, "shop/signals.py::saved")
    assert makes(files, "shop/sale.py::f") == {("hooks", "shop/signals.py::told", "exact")}
    assert makes(files, "shop/signals.py::ready") == {
        ("hooks", "shop/signals.py::later", "exact"),
        ("relates", f"{MODELS}Ware", "exact"),
    }


def test_settings_name_classes_and_modules_in_strings() -> None:
    assert sorted(frames(PROJECT, "site/settings.py::"), key=lambda edge: edge[2]) == [
        ("configures", "shop/apps.py::ShopConfig", 3),
        ("configures", "shop/middleware.py::Timing", 5),
        ("configures", "site/urls.py::", 6),
        ("configures", f"{MODELS}User", 7),
    ]
