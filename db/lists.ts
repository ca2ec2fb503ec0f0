/** Lists of values as one parameter: a statement has the same text however many there are, so it is prepared once. */
import { type Column, sql, type SQL } from 'drizzle-orm';

/** Condition for rows whose column holds one of the values. */
export function isAnyOf(column: Column, values: readonly (string | number)[]): SQL {
  const arrayType = sql.raw(`${column.getSQLType()}[]`);
  return sql`${column} = any(${arrayLiteral(values)}::${arrayType})`;
}

/** The values as PostgreSQL writes an array. */
export function arrayLiteral(values: readonly (string | number)[]): string {
  const elements = values.map((value) => `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`);
  return `{${elements.join()}}`;
}
