import { badRequest, invalid } from '@coxswain/apimachinery/errors.ts';
import { notSupportedError } from '@coxswain/apimachinery/field-error.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { TableOptions } from '../rest/table.ts';

const plain: TableOptions = { includeObject: 'Metadata', noHeaders: false };

/** `includeObject` of the query. @throws StatusError for a value that isn't known */
export function tableOptionsOf(request: ApiRequest): TableOptions {
  if (!request.incoming.query.includes('includeObject')) return plain;
  const includeObject = request.parameters.get('includeObject') ?? '';
  switch (includeObject) {
    case '':
      return plain;
    case 'None':
    case 'Metadata':
    case 'Object':
      return { includeObject, noHeaders: false };
    default:
      throw invalidOption(includeObject);
  }
}

const invalidOption = (value: string) =>
  includeObjectIsInvalid(value) ?? badRequest(`invalid includeObject: ${value}`);

const includeObjectIsInvalid = (value: string) =>
  invalid({ group: 'meta.k8s.io', kind: 'TableOptions' }, '', [
    notSupportedError('includeObject', value, ['Metadata', 'None', 'Object', '']),
  ]);
