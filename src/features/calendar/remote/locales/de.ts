import type { CalendarServerTexts } from './en.ts'

const TRY_LATER = 'Versuche es später erneut. Wenn das Problem bleibt, frage deinen Anbieter.'

export const de: CalendarServerTexts = {
  steps: {
    'dns.unknown_host': ({ host }) => [
      `Der Servername ${host} existiert nicht.`,
      'Prüfe die Schreibweise der Adresse. Dein Anbieter nennt sie, oft unter „CalDAV“ oder „Abonnieren“.',
    ],
    'dns.forbidden_address': ({ host }) => [
      `${host} liegt in einem privaten Netz, auf das diese Instanz nicht zugreifen darf.`,
      'Bitte den Betreiber dieser Instanz, die Adresse in OUTBOUND_ALLOW einzutragen.',
    ],
    'dns.timeout': ({ host }) => [
      `Die DNS-Abfrage für ${host} hat zu lange gedauert.`,
      'Prüfe das Netzwerk dieses Rechners und versuche es erneut.',
    ],
    'connect.refused': ({ host }) => [
      `Die Verbindung zu ${host} wurde abgelehnt.`,
      'Prüfe die Adresse, den Port und die Firewall.',
    ],
    'connect.timeout': ({ host }) => [
      `${host} hat nicht rechtzeitig geantwortet.`,
      'Prüfe die Adresse, den Port und die Firewall, oder versuche es später erneut.',
    ],
    'tls.untrusted': ({ host }) => [
      `Das Zertifikat von ${host} stammt von keiner vertrauenswürdigen Stelle.`,
      'Verwende ein Zertifikat einer vertrauenswürdigen Stelle, oder füge deine eigene mit NODE_EXTRA_CA_CERTS hinzu.',
    ],
    'tls.wrong_name': ({ host }) => [
      `Das Zertifikat des Servers gilt nicht für den Namen ${host}.`,
      'Verwende den Servernamen, den dein Anbieter nennt.',
    ],
    'tls.expired': ({ host }) => [
      `Das Zertifikat von ${host} ist abgelaufen oder noch nicht gültig.`,
      'Erneuere das Zertifikat und prüfe die Uhr dieses Rechners.',
    ],
    'tls.not_tls': ({ host }) => [
      `${host} verwendet an diesem Port kein TLS.`,
      'Prüfe den Port. Wenn der Server dein eigener ist und keine Verschlüsselung hat, verwende http://.',
    ],
    'tls.other': ({ host }) => [
      `Die TLS-Verbindung zu ${host} ist fehlgeschlagen.`,
      'Vielleicht unterstützt der Server TLS 1.2 nicht, oder der Port ist unverschlüsselt.',
    ],
    'greeting.closed': ({ host }) => [
      `${host} hat die Verbindung vor der Antwort beendet.`,
      'Vielleicht verlangt der Port https:// oder http://, oder der Server sperrt diesen Rechner.',
    ],
    'command.timeout': ({ host }) => [`Die Anfrage an ${host} hat zu lange gedauert.`, TRY_LATER],
    'command.closed': ({ host }) => [
      `${host} hat die Verbindung beendet, bevor die Antwort vollständig war.`,
      TRY_LATER,
    ],
    'command.refused': ({ host }, response) => [
      `${host} hat die Anfrage abgelehnt${response}.`,
      'Prüfe, ob die Adresse stimmt und ob du Zugriff auf diese Kalender hast.',
    ],
    'login.credentials': ({ host, kind }) => [
      `${host} hat Benutzername oder Passwort abgelehnt.`,
      kind === 'caldav'
        ? 'Prüfe beides. Anbieter mit Zwei-Faktor-Authentifizierung verlangen ein App-Passwort.'
        : 'Prüfe beides, oder verwende die Adresse zum Abonnieren ohne Anmeldung.',
    ],
    'login.signed_out': ({ host }) => [
      `${host} akzeptiert die Anmeldung nicht mehr: Die Zustimmung ist abgelaufen oder wurde widerrufen.`,
      'Melde dich erneut beim Anbieter an.',
    ],
    'select.missing': ({ host, kind }) =>
      kind === 'caldav'
        ? [
            `${host} hat unter dieser Adresse keine Kalender.`,
            'Verwende die CalDAV-Adresse deines Anbieters oder die Adresse eines deiner Kalender.',
          ]
        : [
            `${host} hat unter dieser Adresse keine Datei.`,
            'Vielleicht ist der Kalender nicht mehr veröffentlicht. Veröffentliche ihn neu und gib die neue Adresse ein.',
          ],
    'select.other': ({ host, kind }) =>
      kind === 'caldav'
        ? [
            `${host} ist kein CalDAV-Server.`,
            'Verwende die CalDAV-Adresse deines Anbieters, nicht die Adresse seiner Website.',
          ]
        : [
            `Die Datei unter dieser Adresse von ${host} ist kein Kalender.`,
            'Verwende die Adresse der Datei selbst (oft mit der Endung .ics), nicht die einer Seite, die sie zeigt.',
          ],
  },
  otherwise: ({ host }, response) => [`Die Anfrage an ${host} ist fehlgeschlagen${response}.`, TRY_LATER],
  quote: (response) => ` („${response}“)`,
  tryLater: TRY_LATER,
  unexpectedError: 'Ein unerwarteter Fehler ist aufgetreten. Einzelheiten stehen im Log.',
  changesNotSent: (count, error) =>
    `${count === 1 ? 'Eine Änderung konnte' : `${count} Änderungen konnten`} nicht an den Server gesendet werden: ${error}`,
  noCalendarForNewEvents:
    'Der Kalender für neue Termine existiert nicht mehr oder ist schreibgeschützt. Neue Termine kommen in den ersten beschreibbaren Kalender. Wähle einen anderen.',
  moreRemarks: (count) => `${count} weitere dieser Art.`,
}
