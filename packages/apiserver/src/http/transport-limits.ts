/** The limits of the HTTP layer; upstream's unless stated otherwise. */

/** The maximum number of concurrent streams of one HTTP/2 connection. */
export const concurrentStreamsDefault = 100;

/** HTTP/2 frames and the window of one stream. */
export const frameBytes = 256 * 1024;

/** The limit of a request's headers in total. */
export const headerBytesMax = 1024 * 1024;

/** The same as HTTP/2 counts it: 32 extra bytes per header, with ten headers to spare; Go's value. */
export const headerListBytesMax = headerBytesMax + 10 * 32;

/** The timeout of a TLS handshake. */
export const handshakeMsMax = 10_000;

/** The timeout of an HTTP/1.1 request's headers. */
export const headersMsMax = 32_000;

/**
 * The interval of timeout checks. Timeouts are counted in checks: while the server could not read, it did not check
 * either, so clients don't suffer from its delays.
 */
export const lookMs = 2_000;

/** After this time without traffic, TCP keep-alive probes the client. */
export const keepAliveProbeMs = 3 * 60_000;

/** An idle connection is closed after this time. */
export const idleMsMax = 90_000;

/** A stream's source waits while this much is pending; its own queue is bounded. */
export const streamPendingBytesMax = 1024 * 1024;
