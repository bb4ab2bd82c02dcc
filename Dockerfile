# Built with the official Swift image, run on the same Debian release without a compiler.
FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libmicrohttpd-dev libgnutls28-dev libsqlite3-dev \
        libcurl4-openssl-dev libhiredis-dev liburing-dev libsystemd-dev zlib1g-dev esbuild \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Only what the program needs, so that changes to tests or pages don't rebuild it. The manifest also names folders of tests and
# examples; empty ones are enough for it.
COPY Package.swift .
RUN grep -oE 'path: "(Tests|Benchmarks|docs)/[^"]+"' Package.swift | cut -d '"' -f 2 | xargs mkdir -p \
    && grep -oE '"[A-Za-z]+Tests"' Package.swift | tr -d '"' | sed 's|^|Tests/|' | xargs mkdir -p
COPY Sources Sources
RUN mkdir runtime && ln -s "$(clang -print-file-name=libstdc++.a)" runtime \
    && swift build -c release --product tweencast --static-swift-stdlib -Xswiftc -gline-tables-only \
        -Xlinker -Lruntime -Xlinker --no-export-dynamic \
    && strip .build/release/tweencast
COPY packaging/viewer packaging/
COPY public public
RUN bash packaging/viewer public .build/viewer

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Tweencast" \
    org.opencontainers.image.description="Turns sparse updates into smooth motion, and streams it as Server-Sent Events" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="1.0.0"
RUN apt-get update \
    && apt-get install -y --no-install-recommends libmicrohttpd12 libgnutls30 libsqlite3-0 libcurl4 libhiredis0.14 \
        liburing2 libsystemd0 zlib1g ca-certificates tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home tweencast \
    && install -d -m 700 -o tweencast /data
COPY --from=build /src/.build/viewer /usr/share/tweencast/public
COPY --from=build /src/.build/release/tweencast /usr/local/bin/tweencast
USER tweencast
# Other machines can reach a container, so the server doesn't start without tokens, or TWEENCAST_INSECURE=1 to admit everyone:
# docker run -v tweencast:/data tweencast token --name admin --admin --into /data/tokens.json
# docker run -v tweencast:/data -e TWEENCAST_AUTH=tokens:/data/tokens.json tweencast
# The server accepts localhost and addresses as host names. List others when you run it:
# docker run -e TWEENCAST_ALLOWED_HOST=board.example.com -e TWEENCAST_CORS_ORIGIN=https://shop.example.com … tweencast
ENV TWEENCAST_HOST=0.0.0.0 TWEENCAST_DATA=/data TWEENCAST_PUBLIC=/usr/share/tweencast/public
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["tweencast", "health"]
ENTRYPOINT ["tweencast"]
