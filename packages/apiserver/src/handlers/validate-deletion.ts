/** Admission of a deletion. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import type { DeleteOptions } from '../rest/options.ts';
import type { ValidateObject } from '../rest/storage.ts';
import { attributesOfWrite } from './admit.ts';

export const validateDeletion =
  (request: ApiRequest, scope: ResourceScope, name: string, options: DeleteOptions): ValidateObject =>
  async (stored, graceSeconds) => {
    const { admission } = scope.services;
    if (!admission.handles('DELETE')) return;
    const attributes = attributesOfWrite(request, scope, {
      operation: 'DELETE',
      name,
      object: undefined,
      oldObject: scope.identity ? stored : scope.fromStorage(stored),
      options: graceSeconds === undefined ? options : { ...options, gracePeriodSeconds: graceSeconds },
      dryRun: options.dryRun,
    });
    await admission.mutate(attributes);
    await admission.validate(attributes);
  };
