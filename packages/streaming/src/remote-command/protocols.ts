/** Exec and attach: what both sides agree on. */

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Which streams a request wants. */
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

/** Best first. The first version has no name of its own but `channel.k8s.io`. */
export const spdyProtocols = [
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
] as const;

/** Of a WebSocket whose channels can end one by one. */
export const streamCloseProtocol = 'v5.channel.k8s.io';

export const webSocketProtocols = [
  '',
  'channel.k8s.io',
  'base64.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  streamCloseProtocol,
] as const;

/** What a client asks for over a WebSocket; older servers know none of it and are asked for SPDY. */
export const clientWebSocketProtocols = [streamCloseProtocol] as const;

export const hasResize = (protocol: string): boolean => /^v[345]\./.test(protocol);

/** Whether the end of the command is told as a JSON status; older versions tell failures as text. */
export const hasStatus = (protocol: string): boolean => /^v[45]\./.test(protocol);
