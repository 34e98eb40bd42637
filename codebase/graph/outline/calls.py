"""The functions whose calls outlines keep, because a framework gives them a meaning."""

from __future__ import annotations

from typing import Final

_NAMES: Final = (
    # Blender: names that are drawn, opened and run; properties, registration and callbacks.
    "operator operator_menu_enum operator_menu_hold operator_enum menu menu_contents popover template_list "
    "tool_set_by_id call_menu call_menu_pie call_panel gizmo_group_type_ensure gizmo_group_type_unlink_delayed new "
    "prop prop_enum prop_menu_enum prop_tabs_enum props_enum prop_search prop_with_popover prop_with_menu "
    "prop_decorator template_ID template_ID_preview template_any_ID template_icon_view template_color_picker "
    "template_search getattr setattr path_resolve property_unset is_property_set BoolProperty BoolVectorProperty "
    "IntProperty IntVectorProperty FloatProperty FloatVectorProperty StringProperty EnumProperty PointerProperty "
    "CollectionProperty register_class register_classes_factory register append prepend insert subscribe_rna "
    "draw_handler_add popup_menu popup_menu_pie "
    # Django: models, routes, signals, administration, libraries of tags.
    "ForeignKey OneToOneField ManyToManyField ParentalKey ParentalManyToManyField reverse reverse_lazy redirect "
    "resolve_url send send_robust asend asend_robust connect get_model filter exclude prefetch_related "
    "select_related order_by values_list annotate aggregate alias earliest latest tag simple_tag"
)
CALLS: Final = frozenset(_NAMES.split())
