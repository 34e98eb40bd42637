"""Filters and tags of the shop."""

from django import template

register = template.Library()


@register.filter
def money(cents):
    return f"{cents / 100:.2f}"


@register.simple_tag
def sign(ware):
    return ware.in_words()
