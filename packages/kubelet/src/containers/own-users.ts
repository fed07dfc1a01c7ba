/** Pods with user namespaces (`hostUsers: false`). */
import type { Cri } from '../cri/cri-client.ts';
import { RuntimeFailure } from '../runtime.ts';

/** @throws RuntimeFailure always: either the runtime lacks user namespaces, or they are not implemented here */
export async function refuseOwnUsers(cri: Cri, handler: string): Promise<never> {
  const { runtimeHandlers } = await cri.status({});
  const hasThem = runtimeHandlers.some(({ name, features }) => name === handler && features?.userNamespaces);
  const who = handler === '' ? 'runtime' : `RuntimeClass handler "${handler}"`;
  throw new RuntimeFailure(
    'CreatePodSandboxError',
    hasThem
      ? "can't set `spec.hostUsers: false`, user namespaces are not implemented"
      : `can't set \`spec.hostUsers: false\`, ${who} does not support user namespaces`,
  );
}
