/** Bounds of the HTTP layer; each is the original's unless said otherwise. */

/** Streams that a client may have open on one HTTP/2 connection. */
export const concurrentStreamsDefault = 100;

/** HTTP/2 frames and the window of one stream. */
export const frameBytes = 256 * 1024;

/** All headers of one request together. */
export const headerBytesMax = 1024 * 1024;

/** The same as HTTP/2 counts it, with 32 bytes for each header and ten headers to spare; Go's. */
export const headerListBytesMax = headerBytesMax + 10 * 32;

/** How long a TLS handshake may take. */
export const handshakeMsMax = 10_000;

/** How long the headers of an HTTP/1.1 request may take to arrive. */
export const headersMsMax = 32_000;

/**
 * How often it is looked whether somebody takes too long. Times are counted in looks: while the server could not read,
 * it didn't look either, and nobody pays for its delay.
 */
export const lookMs = 2_000;

/** After so long without a sign of the client, its machine is asked whether it is still there. */
export const keepAliveProbeMs = 3 * 60_000;

/** An idle connection is closed after this time. */
export const idleMsMax = 90_000;

/** A stream's source waits when this much is pending; its own queue is bounded. */
export const streamPendingBytesMax = 1024 * 1024;
