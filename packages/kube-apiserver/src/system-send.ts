/** Requests of in-process controllers to the server itself, through all its filters. */
import type { StepObserver } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import { writeAny } from '@coxswain/schema/json/write.ts';

export interface SystemSendParts {
  readonly transport: () => Transport;
  readonly log: (line: string) => void;
  readonly observer?: StepObserver | undefined;
}

/** Resolves with the response's code; failures other than a conflict or a missing object are logged. */
export async function systemSend(
  { transport, log, observer }: SystemSendParts,
  method: string,
  path: string,
  object?: object,
): Promise<number> {
  const traceparent = observer?.traceParent?.();
  const headers = {
    accept: 'application/json',
    'user-agent': 'kube-apiserver',
    ...(traceparent !== undefined && { traceparent }),
  };
  const response = await transport().send({
    method,
    path,
    headers: object === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(object === undefined ? {} : { body: new TextEncoder().encode(writeAny(object)) }),
  });
  const { status } = response;
  if (status >= 400 && ![404, 409].includes(status)) {
    log(`${method} ${path}: ${status} ${new TextDecoder().decode(await response.bytes())}`);
  }
  return status;
}
