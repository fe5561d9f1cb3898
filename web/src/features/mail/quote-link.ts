import { useHistoryState } from 'wouter/use-browser-location'

interface QuoteState {
  quote: string
}

/** History state of a link to an email: the email opens at this quote, which is marked. */
export const toQuoteState = (quote: string): QuoteState => ({ quote })

/** The quote of the link that opened the email, or an empty string. */
export const useQuote = (): string => useHistoryState<Partial<QuoteState> | null>()?.quote ?? ''
