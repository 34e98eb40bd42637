import bpy


def blur(image: bpy.types.Image) -> None:
    """Draw it softly."""
    import bgl
    bgl.glTexParameteri(bgl.GL_TEXTURE_2D, bgl.GL_TEXTURE_MIN_FILTER, bgl.GL_LINEAR)


print(blur.__doc__)
