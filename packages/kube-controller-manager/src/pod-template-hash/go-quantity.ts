/** A resource.Quantity as its Go struct looks inside, once it has been read and written. */

const suffixes: Readonly<Record<string, { readonly scale: number; readonly binary?: bigint }>> = {
  n: { scale: -9 },
  u: { scale: -6 },
  m: { scale: -3 },
  '': { scale: 0 },
  k: { scale: 3 },
  M: { scale: 6 },
  G: { scale: 9 },
  T: { scale: 12 },
  P: { scale: 15 },
  E: { scale: 18 },
  Ki: { scale: 0, binary: 2n ** 10n },
  Mi: { scale: 0, binary: 2n ** 20n },
  Gi: { scale: 0, binary: 2n ** 30n },
  Ti: { scale: 0, binary: 2n ** 40n },
  Pi: { scale: 0, binary: 2n ** 50n },
  Ei: { scale: 0, binary: 2n ** 60n },
};

/** `text` is canonical. */
export function dumpQuantity(text: string): string {
  const [, digits = '0', suffix = '', exponent] = /^(-?\d+)([A-Za-z]*?)(?:e(-?\d+))?$/.exec(text) ?? [];
  const unit = suffixes[suffix] ?? { scale: 0 };
  const value = unit.binary === undefined ? BigInt(digits) : BigInt(digits) * unit.binary;
  const scale = exponent === undefined ? unit.scale : Number(exponent);
  const format =
    exponent !== undefined ? 'DecimalExponent' : unit.binary === undefined ? 'DecimalSI' : 'BinarySI';
  return (
    `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} ` +
    `d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`
  );
}
