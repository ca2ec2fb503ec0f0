/** What is used of npm `smpp` 0.5.1, which ships no types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server, Socket } from 'node:net';

  /** Fields of the body under their names in the SMPP 3.4 specification; absent ones were not on the wire. */
  interface Pdu {
    readonly command: string;
    readonly command_id: number;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly [field: string]: unknown;
    isResponse(): boolean;
    response(options?: Readonly<Record<string, unknown>>): Pdu;
    toBuffer(): Buffer;
  }

  interface Session extends EventEmitter {
    readonly socket: Socket;
    /** False when the socket takes nothing any more; `onResponse` is not called then. */
    send(pdu: Pdu, onResponse?: (response: Pdu) => void): boolean;
    close(): void;
    destroy(): void;
  }

  interface Parameter {
    readonly type: object;
    readonly default?: unknown;
    readonly filter?: object;
  }

  interface Command {
    readonly id: number;
    readonly params?: Readonly<Record<string, Parameter>>;
  }

  interface Encoding {
    /** Whether the alphabet has every character. */
    match(text: string): boolean;
    encode(text: string): Buffer;
    decode(octets: Buffer): string;
  }

  interface Smpp {
    readonly PDU: new (command: string, fields?: Readonly<Record<string, unknown>>) => Pdu;
    readonly commands: Readonly<Record<string, Command>>;
    readonly errors: Readonly<Record<string, number>>;
    /** `ASCII` is the library's name for GSM 03.38, one octet a character. */
    readonly encodings: { readonly ASCII: Encoding };
    readonly types: { readonly tlv: { readonly buffer: object } };
    connect(options: { readonly host: string; readonly port: number; readonly tls: boolean }): Session;
    createServer(onSession: (session: Session) => void): Server;
    addCommand(name: string, command: Command): void;
    addTLV(name: string, tlv: { readonly id: number; readonly type: object }): void;
  }

  const smpp: Smpp;
  export default smpp;
  export type { Command, Parameter, Pdu, Session };
}
