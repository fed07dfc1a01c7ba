/** The options of a secure port. */
import type { Clock } from '@coxswain/apimachinery';
import type { IncomingRequest } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';
import type { TlsLimits, TlsMaterial } from './tls/serving-tls.ts';

export type ServeRequest = (incoming: IncomingRequest) => ApiResponse | Promise<ApiResponse>;

export interface SecureServingOptions extends TlsMaterial, TlsLimits {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Lets other processes listen on the same port. */
  readonly sharesPort?: boolean;
  readonly servesHttp2?: boolean;
  readonly concurrentStreams?: number;
  readonly clock?: Clock;
  readonly log?: (line: string) => void;
  readonly serve: ServeRequest;
}
