/** Names shared by both sides of exec and attach. */

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The streams that a request asks for. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

export type StreamType = 'stdin' | 'stdout' | 'stderr' | 'error' | 'resize';

/** The channel of each stream over a WebSocket; the first three are the file descriptors. */
export const channelOf: Readonly<Record<StreamType, number>> = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  error: 3,
  resize: 4,
};
export const channelCount = 5;

/** Preferred first. The first version has no name of its own except `channel.k8s.io`. */
export const spdyProtocols = [
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
] as const;

/** The WebSocket protocol whose channels can be closed individually. */
export const streamCloseProtocol = 'v5.channel.k8s.io';

export const webSocketProtocols = [
  '',
  'channel.k8s.io',
  'base64.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  streamCloseProtocol,
] as const;

/** What a client requests over a WebSocket; a server that knows none of these is asked for SPDY. */
export const clientWebSocketProtocols = [streamCloseProtocol] as const;

export const hasResize = (protocol: string): boolean => /^v[345]\./.test(protocol);

/** Whether the result is sent as a JSON status; older versions send failures as text. */
export const hasStatus = (protocol: string): boolean => /^v[45]\./.test(protocol);
