"""The library in memory of the services' tests, for a loop over a real model."""

from tests.services.conftest import bench

__all__ = ["bench"]
