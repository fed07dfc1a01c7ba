/** The secure port for clients. */
import type { Clock } from '@coxswain/apimachinery';
import { serveSecurely, type ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import type { ListenerOnPort } from '../loopback.ts';
import type { TlsFiles } from './tls-files.ts';

export interface SecurePortSettings {
  readonly bindAddress: string;
  /** 0 for any free port. */
  readonly securePort: number;
  readonly minTlsVersion?: string;
  readonly cipherSuites?: readonly string[];
  readonly curves?: readonly number[];
  readonly servesHttp2?: boolean;
  readonly sharesPort?: boolean;
  /** 0 for the default. */
  readonly concurrentStreams?: number;
}

export interface SecurePortParts {
  readonly files: TlsFiles;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly serve: ServeRequest;
}

export interface OpenPort extends ListenerOnPort {
  /** `https://127.0.0.1:6443` */
  readonly address: string;
}

/** @throws Error with a one-line message for a port that can't be listened on */
export async function openSecurePort(
  settings: SecurePortSettings,
  { files, clock, log, serve }: SecurePortParts,
): Promise<OpenPort> {
  const { bindAddress, securePort } = settings;
  const listener = await serveSecurely({
    ...files.material,
    host: bindAddress,
    port: securePort,
    minVersion: settings.minTlsVersion ?? '',
    cipherSuites: settings.cipherSuites ?? [],
    curves: settings.curves ?? [],
    servesHttp2: settings.servesHttp2 ?? true,
    sharesPort: settings.sharesPort ?? false,
    ...(settings.concurrentStreams ? { concurrentStreams: settings.concurrentStreams } : {}),
    clock,
    log,
    serve,
  });
  const stopFollowing = files.follow((material) => listener.exchangeTls(material));
  const { port } = listener.address;
  return {
    port,
    address: addressOf(bindAddress, port),
    stopListening() {
      stopFollowing();
      listener.stopListening();
    },
    close: (graceMs) => listener.close(graceMs),
  };
}

export function addressOf(bindAddress: string, port: number): string {
  const host = isAnyAddress(bindAddress) ? '127.0.0.1' : bindAddress;
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export const isAnyAddress = (address: string): boolean => address === '0.0.0.0' || address === '::';
