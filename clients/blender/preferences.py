"""The preferences of the extension: the address of the service and its limits."""

from __future__ import annotations

from typing import Any

import bpy

from .client import ExtensionProblem, ServiceClient, place_of


class BlendproofPreferences(bpy.types.AddonPreferences):
    """The preferences, in the form that Blender draws and saves."""

    bl_idname = __package__

    __annotations__ = {
        "address": bpy.props.StringProperty(
            name="Address", description="Address of the Blendproof service", default="http://127.0.0.1:8484"
        ),
        "token": bpy.props.StringProperty(
            name="Token",
            description="Token of the service, if it has one; Blender keeps it in your preferences as plain text",
            subtype="PASSWORD",
        ),
        "blender": bpy.props.StringProperty(
            name="Blender",
            description="Version or series of the Blender to prove on, such as 5.0; the service's own if empty",
        ),
        "answer_s": bpy.props.FloatProperty(
            name="Answer", description="Seconds to wait for each answer of the service", default=10, min=1, max=600
        ),
        "run_s": bpy.props.FloatProperty(
            name="Run", description="Seconds to wait for the end of a run", default=600, min=5, max=86400
        ),
        "scene_mib": bpy.props.IntProperty(
            name="Largest scene",
            description="Largest scene to send, in MiB; a service takes 18 unless its operator allows more",
            default=18,
            min=1,
            max=512,
        ),
        "keep_scene": bpy.props.BoolProperty(
            name="Keep scenes",
            description="Have the service keep the scene of what it proves, so that its objects can be appended",
            default=True,
        ),
    }

    def draw(self, _context: Any) -> None:
        """Draw them."""
        layout = self.layout
        layout.use_property_split = True
        for name in self.__annotations__:
            layout.prop(self, name)
        if self.token and not self.address.startswith("https:") and not is_local(self.address):
            layout.label(text="The token travels unencrypted: use an https address", icon="ERROR")


def is_local(address: str) -> bool:
    """True if an address is on this machine; false for what is none."""
    try:
        return ServiceClient(address, "", 1, 1).is_local
    except ExtensionProblem:
        return False


def preferences() -> Any:
    """The preferences of this extension."""
    return bpy.context.preferences.addons[__package__].preferences


def service() -> ServiceClient:
    """The service that is set. Raises ExtensionProblem if there is none, or Blender may not reach it."""
    own = preferences()
    chosen = ServiceClient(own.address.strip(), own.token.strip(), own.answer_s, own.run_s)
    place_of(chosen.address)
    # Blender 4.2 and later ask the user whether add-ons may go online.
    if not getattr(bpy.app, "online_access", True) and not chosen.is_local:
        raise ExtensionProblem(
            "Blender may not go online, and the service is on another machine.",
            "Turn on Preferences > System > Network > Allow Online Access.",
        )
    return chosen
