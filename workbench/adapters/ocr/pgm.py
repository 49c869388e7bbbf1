"""Pictures as both engines take them: the portable graymap, a header and one byte for each point."""

from workbench.services.ports import Raster


def pgm(picture: Raster) -> bytes:
    return b"P5 %d %d 255\n%b" % (picture.width, picture.height, picture.samples)
