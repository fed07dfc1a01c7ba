import type { Strategy } from '@coxswain/apiserver';
import type { ServiceAccount } from '@coxswain/api/core/v1/service-account.ts';
import { as, type AnyObject } from '../../any-object.ts';

/** Of the references to secrets, only the names mean anything. */
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
