/** How an owner links a chat with their account. */
export interface TelegramLinking {
  /** A new one-time code for the account. */
  issueCode(accountId: string): Promise<string>;
  /** The name of the bot without its @; null while Telegram does not answer. */
  botName(): Promise<string | null>;
}
