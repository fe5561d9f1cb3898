import { formatNumber, plural } from '../format.ts'

export const title = 'KI'
export const about =
  'Modelle, Schlüssel und Kosten. Ohne Schlüssel antwortet der eingebaute Assistent auf diesem Server.'

export const model = 'Modell'
export const modelAbout = 'Standard für alle Anfragen'
export const modelSelected = (name: string) => `Ab jetzt antwortet ${name}.`
export const modelWithoutKey = (name: string) =>
  `${name} hat noch keinen Schlüssel. Bis du einen hinzufügst, antwortet der eingebaute Assistent.`
export const ready = 'Bereit'
export const noKey = 'Kein Schlüssel'

export const keys = 'Anbieterschlüssel'
export const keysAbout = 'Verschlüsselt gespeichert und nie wieder angezeigt.'
export const providers = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'Eigener Server',
}
export const keySources = {
  runtime: 'Hier hinzugefügt',
  environment: 'Vom Serververwalter festgelegt',
  none: 'Kein Schlüssel',
} satisfies Record<'runtime' | 'environment' | 'none', string>
export const verified = 'Geprüft'
export const notVerified = 'Nicht geprüft'
export const addKey = 'Hinzufügen'
export const addKeyFor = (provider: string) => `Schlüssel für ${provider} hinzufügen`
export const replaceKey = 'Ersetzen'
export const replaceKeyFor = (provider: string) => `Schlüssel für ${provider} ersetzen`
export const verifyKeyFor = (provider: string) => `Schlüssel für ${provider} prüfen`
export const deleteKeyFor = (provider: string) => `Schlüssel für ${provider} löschen`
export const deleteKeyTitle = (provider: string) => `Schlüssel für ${provider} löschen?`
export const deleteKeyAbout = 'Die Modelle dieses Anbieters antworten dann nicht mehr.'
export const deleteKey = 'Schlüssel löschen'
export const keyDeleted = (provider: string) => `Schlüssel für ${provider} gelöscht`
export const keyAccepted = (provider: string) => `${provider} hat den Schlüssel angenommen`
export const keySaved = 'Schlüssel gespeichert'
export const keyTitle = (provider: string) => `Schlüssel für ${provider}`
export const keyAbout = 'Wir prüfen den Schlüssel beim Anbieter.'
export const key = 'Schlüssel'
export const address = 'API-Adresse'
export const ownServerHint = 'Zum Beispiel http://127.0.0.1:11434 für Ollama'
export const addressHint = 'Leer lassen für die Standardadresse'

export const localModels = 'Lokale Modelle'
export const localModelsAbout =
  'Modellserver auf dem Rechner von Factotum. Bei mehreren Instanzen nutzt jede ihren eigenen Rechner.'
export const findLocalModels = 'Lokale Modelle suchen'
export const localServers = {
  ollama: 'Ollama',
  'llama.cpp': 'llama.cpp',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
}
export const searchResults = {
  found: 'Gefunden',
  not_running: 'Läuft nicht',
  timeout: 'Keine Antwort',
  needs_key: 'Braucht einen Schlüssel',
  no_model_server: 'Anderes Programm',
}
export const noLocalModels = 'Keine Modelle. Zuerst eines herunterladen.'
export const modelOf = (server: string) => `Modell von ${server}`
export const chooseModel = 'Verwenden'
export const chooseModelOf = (server: string) => `Modell von ${server} verwenden`
export const testModel = 'Ausgewähltes Modell testen'
export const testAnswer = ({ model, text }: { model: string; text: string }) =>
  `Antwort von ${model}: ${text}`
export const testTools = {
  used: 'Es kann Werkzeuge nutzen: Der Assistent kann nachsehen.',
  unused: 'Es hat das Werkzeug nicht genutzt. Der Assistent sieht womöglich nicht nach.',
  missing:
    'Es unterstützt keine Werkzeuge. Der Assistent kann damit weder etwas nachsehen noch etwas ändern.',
}
export const testJson = 'Es kann mit JSON antworten. Das braucht die Analyse von E-Mails.'
export const testNoJson = 'Es antwortet nicht mit JSON. E-Mails liest dann die eingebaute Analyse.'

export const spending = 'Ausgaben'
export const spendingAbout = 'KI-Anfragen und Kosten'
export const today = 'Heute'
export const spentOfLimit = ({ spent, limit }: { spent: string; limit: string }) => `${spent} von ${limit}`
export const unpricedToday = 'Heute ohne bekannten Preis'
export const requestCount = (count: number) =>
  plural(count, { one: '1 Anfrage', other: `${formatNumber(count)} Anfragen` })
export const requestsCountedAs = ({ count, cost }: { count: number; cost: string }) =>
  plural(count, {
    one: `1 Anfrage; heute zählt mit ${cost} zum Limit`,
    other: `${formatNumber(count)} Anfragen; heute zählt mit ${cost} zum Limit`,
  })
export const requestsToday = 'Anfragen heute'
export const thisMonth = 'Dieser Monat'
export const last30Days = 'Letzte 30 Tage'
export const prices = 'Preise'
export const priceList = (date: string) => `Preisliste vom ${date}`
