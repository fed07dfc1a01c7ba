/** The options of a request as admission webhooks and policies see them: the kinds of meta.k8s.io. */
import type { AdmissionOperation } from '../../admission/plugin.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import type { DeleteOptions } from '../../rest/options.ts';

interface OptionedWrite {
  readonly operation: AdmissionOperation;
  readonly options: object;
}

const apiVersion = 'meta.k8s.io/v1';

/** A PATCH has CreateOptions or UpdateOptions, depending on its effect; a connection has none. */
export function operationOptions(
  { parameters }: Pick<ApiRequest, 'parameters'>,
  { operation, options }: OptionedWrite,
): object | null {
  if (operation === 'CONNECT') return null;
  if (operation === 'DELETE') return deleteOptions(options as DeleteOptions);
  const dryRun = parameters.getAll('dryRun');
  const fieldManager = parameters.get('fieldManager');
  const fieldValidation = parameters.get('fieldValidation');
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion,
    ...(dryRun.length > 0 && { dryRun }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  };
}

function deleteOptions(options: DeleteOptions): object {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun && { dryRun: ['All'] }),
  };
}
