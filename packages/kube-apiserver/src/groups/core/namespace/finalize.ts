/** `namespaces/finalize`: the namespace controller reports that the namespace is empty. */
import type { ApiResource } from '@coxswain/apiserver';
import type { AnyObject } from '../../any-object.ts';
import type { Services } from '../../services.ts';
import type { Stores } from '../../resource.ts';
import { subresourceStrategyOf } from '../../strategy.ts';

export function finalizeSubresource(
  stores: Stores,
  services: Services,
): Readonly<Record<string, ApiResource>> {
  const namespaces = stores.of('', 'namespaces');
  const strategy = subresourceStrategyOf(namespaces.resource, services, 'finalize', keepStatus, [['status']]);
  const finalizing = namespaces.withStrategy(strategy);
  return {
    finalize: {
      storage: {
        kind: finalizing.kind,
        namespaced: false,
        patchable: false,
        resetFields: finalizing.resetFields,
        update: (request, name, change, options, validation) =>
          finalizing.update(request, name, change, options, { ...validation, forceAllowCreate: false }),
      },
    },
  };
}

function keepStatus(object: AnyObject, old: AnyObject): void {
  object.status = old.status;
}
