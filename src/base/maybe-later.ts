/** The result of an interface whose implementation in memory has it at once, and that of another store later: await it. */
export type MaybeLater<Value> = Value | Promise<Value>;
