/** Upgraded connections: a WebSocket if the server supports it, otherwise SPDY. */
import type { Duplex } from 'node:stream';
import { here, runStep } from '@coxswain/apimachinery';
import { parseJson } from '@coxswain/client/rest/answer.ts';
import { requestHeaders, spdyHeaders } from '@coxswain/streaming';
import { userAgent } from '../connection/user-agent.ts';
import { explainConnection } from '../connection/explain.ts';
import type { CommandContext } from '../context.ts';

export interface Upgraded {
  readonly kind: 'webSocket' | 'spdy';
  readonly protocol: string;
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

export interface UpgradeRequest {
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly webSocketProtocols: readonly string[];
  readonly spdyProtocols: readonly string[];
}

/**
 * @throws Error with the server's message if it refuses
 * @throws ConnectionError if there is no response
 */
export function openUpgraded(context: CommandContext, request: UpgradeRequest): Promise<Upgraded> {
  const { env, observer } = context.io;
  const open = async () => {
    const allowsWebSocket = env[disablingVariable(request)] !== 'false';
    const upgraded =
      (allowsWebSocket ? await overWebSocket(context, request) : undefined) ??
      (await overSpdy(context, request));
    observer?.note?.({ over: upgraded.kind, protocol: upgraded.protocol });
    return upgraded;
  };
  return runStep(observer, here`client/upgrade`, open, { path: request.path });
}

/** Upstream's environment variables. */
const disablingVariable = ({ path }: UpgradeRequest): string =>
  path.endsWith('/portforward') ? 'KUBECTL_PORT_FORWARD_WEBSOCKETS' : 'KUBECTL_REMOTE_COMMAND_WEBSOCKETS';

/**
 * Undefined for any refusal: servers without WebSocket support refuse in many ways, and the SPDY attempt reveals the
 * reason.
 */
async function overWebSocket(
  context: CommandContext,
  request: UpgradeRequest,
): Promise<Upgraded | undefined> {
  const { headers, accept } = requestHeaders(request.webSocketProtocols);
  const answer = await send(context, 'GET', request, headers);
  if (answer.status !== 101 || answer.socket === undefined) {
    await (answer as { bytes?: () => Promise<unknown> }).bytes?.();
    return undefined;
  }
  const protocol = String(answer.headers['sec-websocket-protocol'] ?? '');
  const isOurs = answer.headers['sec-websocket-accept'] === accept;
  if (isOurs && request.webSocketProtocols.includes(protocol))
    return { kind: 'webSocket', protocol, socket: answer.socket, head: answer.head };
  answer.socket.destroy();
  return undefined;
}

async function overSpdy(context: CommandContext, request: UpgradeRequest): Promise<Upgraded> {
  const answer = await send(context, 'POST', request, spdyHeaders(request.spdyProtocols.join(', ')));
  if (answer.status === 101 && answer.socket !== undefined) {
    const protocol = String(answer.headers['x-stream-protocol-version'] ?? '');
    return { kind: 'spdy', protocol, socket: answer.socket, head: answer.head };
  }
  if (answer.socket !== undefined) throw new Error('unable to upgrade connection');
  throw new Error(
    `unable to upgrade connection: ${refusalText(new TextDecoder().decode(await answer.bytes()))}`,
  );
}

/** The message of a Status, or the response unchanged. */
function refusalText(text: string): string {
  try {
    const { message, error } = parseJson(text) as { readonly message?: unknown; readonly error?: unknown };
    const reported = [message, error].find((one) => typeof one === 'string' && one.trim() !== '');
    if (reported !== undefined) return String(reported).trim();
  } catch {
    // Not JSON.
  }
  return text.trim() || 'empty server response';
}

async function send(
  context: CommandContext,
  method: string,
  { path, query }: UpgradeRequest,
  headers: Readonly<Record<string, string>>,
) {
  const { transport } = await (await context.connection()).rest();
  if (transport.upgrade === undefined) throw new Error('this connection to the server carries no streams');
  const text = query?.toString() ?? '';
  try {
    return await transport.upgrade({
      method,
      path: `${path}${text === '' ? '' : `?${text}`}`,
      headers: { 'user-agent': userAgent, ...headers },
    });
  } catch (failure) {
    throw explainConnection(failure, transport.address);
  }
}
