import { optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ExternalDocumentation = struct('apiextensions/v1beta1.ExternalDocumentation', {
  description: optional(1, string),
  url: optional(2, string, { go: 'URL' }),
});
export interface ExternalDocumentation extends Static<typeof ExternalDocumentation> {}
