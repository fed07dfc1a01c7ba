import * as t from '@coxswain/schema';

export const ExternalDocumentation = t.struct('apiextensions/v1.ExternalDocumentation', {
  description: t.optional(1, t.string),
  url: t.optional(2, t.string, { go: 'URL' }),
});
export interface ExternalDocumentation extends t.Static<typeof ExternalDocumentation> {}
