/** A changed field, on one line. */

interface FieldLineProps {
  readonly path: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const FieldLine = ({ path, from, to }: FieldLineProps) => (
  <span class="field-line truncated" title={`${path}: ${from ?? '–'} → ${to ?? '–'}`}>
    {path} {from !== undefined && <del>{from}</del>} {to !== undefined && <ins>{to}</ins>}
  </span>
);
