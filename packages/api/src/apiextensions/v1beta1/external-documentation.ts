import * as t from '@coxswain/schema';
import * as v1 from '../v1/external-documentation.ts';

export const ExternalDocumentation = t.structIn('apiextensions/v1beta1', v1.ExternalDocumentation);
export interface ExternalDocumentation extends t.Static<typeof ExternalDocumentation> {}
