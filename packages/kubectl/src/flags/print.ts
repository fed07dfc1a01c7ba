/** The options that decide how objects are printed. */
import { bool, string } from '@coxswain/cobra';

export const templateFlags = {
  allowMissingTemplateKeys: bool({
    default: true,
    usage: 'Leave out fields that are missing, instead of failing. For go-template and jsonpath.',
  }),
  template: string({
    usage:
      'Text or file of the template for -o=go-template and -o=go-template-file (golang.org/pkg/text/template).',
  }),
};

export const outputFlag = {
  output: string({
    shorthand: 'o',
    usage:
      'Output format: json, yaml, kyaml, name, go-template, go-template-file, template, templatefile, jsonpath, jsonpath-as-json or jsonpath-file.',
  }),
};

export const showManagedFieldsFlag = {
  showManagedFields: bool({ usage: 'Keep managedFields in JSON and YAML.' }),
};

export const printFlags = { ...outputFlag, ...templateFlags, ...showManagedFieldsFlag };

export interface PrintFlagValues {
  readonly output: string;
  readonly template: string;
  readonly allowMissingTemplateKeys: boolean;
  readonly showManagedFields: boolean;
}
