import type { BootstrapParts } from './bootstrap.ts';

export interface AppliedCondition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly name: string;
  readonly manager: string;
  readonly condition: object;
}

/**
 * Applies a status as the server's own controller would. Resolves with the response's code; failures other than a
 * missing object are logged.
 */
export async function applyCondition(
  { transport, log }: Pick<BootstrapParts, 'transport' | 'log'>,
  { apiVersion, kind, resource, name, manager, condition }: AppliedCondition,
): Promise<number> {
  const path = `/apis/${apiVersion}/${resource}/${name}/status?fieldManager=${manager}&force=true`;
  const object = { apiVersion, kind, metadata: { name }, status: { conditions: [condition] } };
  const response = await transport.send({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/apply-patch+yaml', accept: 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(object)),
  });
  if (response.status >= 300 && response.status !== 404) {
    log(`bootstrap: PATCH ${path}: ${response.status} ${new TextDecoder().decode(await response.bytes())}`);
  }
  return response.status;
}
