"""``media_old``: pictures that a tool brought long ago."""

from collections.abc import Iterator

from slowwave.hygiene.hits import Detector, Hit
from slowwave.hygiene.scene import Scene

OLD_GROUPS = 10  # replies and messages after which a screenshot shows what no longer is


def find_media(scene: Scene) -> Iterator[Hit]:
    """Results with pictures, old ones; their words stay."""
    for item in scene.results:
        if item.images and scene.age(item) >= OLD_GROUPS:
            evidence = {"images": item.images, "age": scene.age(item)}
            yield Hit(item=item.number, detector=Detector.MEDIA_OLD, evidence=evidence, only_noise=True)
