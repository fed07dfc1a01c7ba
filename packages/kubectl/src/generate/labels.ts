/** Parses `a=b,c=d`. @throws Error if a pair has no equals sign */
export function readLabels(text: string): Record<string, string> {
  if (text === '') return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const parts = pair.split('=');
      if (parts.length !== 2 || parts[0] === '') throw new Error(`unexpected label spec: ${pair}`);
      return [parts[0] as string, parts[1] as string];
    }),
  );
}
