/** The options for printing objects. */
import { bool, string } from '@coxswain/cobra';

export const templateFlags = {
  allowMissingTemplateKeys: bool({
    default: true,
    usage:
      'Ignore missing fields and map keys in templates. Only applies to the go-template and jsonpath output formats.',
  }),
  template: string({
    usage:
      'Template string or path to a template file to use with -o=go-template and -o=go-template-file. The format is Go templates (golang.org/pkg/text/template).',
  }),
};

export const outputFlag = {
  output: string({
    shorthand: 'o',
    usage:
      'Output format. One of: (json, yaml, kyaml, name, go-template, go-template-file, template, templatefile, jsonpath, jsonpath-as-json, jsonpath-file).',
  }),
};

export const showManagedFieldsFlag = {
  showManagedFields: bool({ usage: 'Keep managedFields when printing objects in JSON or YAML format.' }),
};

export const printFlags = { ...outputFlag, ...templateFlags, ...showManagedFieldsFlag };

export interface PrintFlagValues {
  readonly output: string;
  readonly template: string;
  readonly allowMissingTemplateKeys: boolean;
  readonly showManagedFields: boolean;
}

/** For commands with a default format: --template alone takes precedence over it. */
export const orTemplate = <F extends { readonly output: string; readonly template: string }>(
  flags: F,
  isFormatGiven: boolean,
): F => (isFormatGiven || flags.template === '' ? flags : { ...flags, output: '' });
