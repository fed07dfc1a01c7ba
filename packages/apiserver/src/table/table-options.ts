import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { TableOptions } from '../rest/table.ts';

const plain: TableOptions = { includeObject: 'Metadata', noHeaders: false };

/** The query's `includeObject`. @throws StatusError 400 for an unknown value */
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
      throw badRequest(
        'Unable to convert to Table as requested: includeObject: ' +
          `Invalid value: ${goQuote(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}
