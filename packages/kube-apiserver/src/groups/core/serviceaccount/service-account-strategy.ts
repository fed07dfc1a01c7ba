import type { Strategy } from '@coxswain/apiserver';
import type { ServiceAccount } from '@coxswain/api/core/v1/service-account.ts';
import { as, type AnyObject } from '../../any-object.ts';

/** Only the names of secret references are kept. */
export const serviceAccountStrategy: Partial<Strategy<AnyObject>> = {
  returnDeletedObject: true,
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
};

function keepNamesOfSecrets(object: AnyObject): void {
  const account = as<ServiceAccount>(object);
  if (account.secrets)
    account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
