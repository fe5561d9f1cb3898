# Builds the image of a release: docker build --tag factotum .
# The root file system has a C library, certificates, time zones, Node and Factotum, and no shell. `npm run release`
# assembles the same files without Docker, and reads the settings of the image from the last stage below.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
ARG TARGETARCH
# The time of all files, in seconds since 1970. Without it, they have the date of the release.
ARG SOURCE_DATE_EPOCH
WORKDIR /src
COPY . .
RUN node scripts/release.mjs --root-file-system /image --image "$TARGETARCH"

FROM scratch
COPY --from=build /image /
ENV DATA_DIR=/data/instance
ENV HOST=0.0.0.0
ENV NODE_COMPILE_CACHE=/tmp/factotum
ENV PATH=/usr/local/bin
USER 1000:1000
WORKDIR /data
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/opt/factotum/bin/health.mjs"]
ENTRYPOINT ["factotum"]
CMD ["serve"]
