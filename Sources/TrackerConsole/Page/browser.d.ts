// What browsers have and the compiler of the checks does not know yet.

interface JSON {
  parse(text: string, reviver: (key: string, value: any, context: { source: string }) => any): any;
  rawJSON?(text: string): object;
}
