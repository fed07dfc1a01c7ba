import type { Clock } from '@coxswain/apimachinery';
import type { ResourceQuota } from '@coxswain/api/core/v1/resource-quota.ts';
import type { QuotaAccessor } from './admission/plugins/resource-quota.ts';
import type { StoreRegistry } from './groups/store-registry.ts';
import { plainUpdate } from './groups/plain-update.ts';
import { as } from './groups/any-object.ts';
import { systemRequest } from './system-request.ts';

/** Quota usage is stored in the objects' status; a conflicting write reads the newer object and retries. */
export const quotaAccessor = (stores: StoreRegistry, clock: Clock): QuotaAccessor => ({
  async updateUsed(namespace, name, change, observer) {
    const request = systemRequest(clock, { group: '', resource: 'resourcequotas', namespace }, observer);
    await plainUpdate(stores.of('', 'resourcequotas'), request, name, {}, false, (quota) => {
      const used = change(as<ResourceQuota>(quota));
      return used === undefined ? quota : { ...quota, status: { ...(quota.status as object), used } };
    });
  },
});
