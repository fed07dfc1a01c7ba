/** Style sheets are texts in the bundle. */
declare module '*.css' {
  const text: string;
  export default text;
}
