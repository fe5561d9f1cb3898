import type { ServerAddress } from '../ports.ts'
import type { MailServerTexts } from './en.ts'

const formatAddress = ({ host, port }: ServerAddress): string => `${host}, Port ${port}`

export const de: MailServerTexts = {
  steps: {
    'dns.unknown_host': ({ host }) => [
      `Es gibt keinen Server mit dem Namen ${host}.`,
      'Prüfe die Schreibweise des Servers. Dein Anbieter nennt den Namen, oder du suchst ihn mit deiner E-Mail-Adresse.',
    ],
    'dns.forbidden_address': ({ host }) => [
      `${host} liegt in einem privaten Netz, auf das diese Instanz nicht zugreifen darf.`,
      'Bitte den Betreiber dieser Instanz, die Adresse in OUTBOUND_ALLOW einzutragen.',
    ],
    'dns.timeout': ({ host }) => [
      `Die DNS-Abfrage für ${host} hat zu lange gedauert.`,
      'Prüfe die Netzwerkverbindung dieses Rechners und versuche es erneut.',
    ],
    'connect.refused': (server) => [
      `Unter ${formatAddress(server)} antwortet kein Server.`,
      'Prüfe den Port (993 oder 143 für IMAP, 465 oder 587 für SMTP) und die Firewall.',
    ],
    'connect.timeout': (server) => [
      `${formatAddress(server)} hat nicht rechtzeitig geantwortet.`,
      'Prüfe den Server, den Port und die Firewall.',
    ],
    'tls.untrusted': ({ host, certificate }) => [
      certificate === null
        ? `Das Zertifikat von ${host} stammt von keiner Stelle, der dieser Rechner vertraut.`
        : `${host} verwendet ein anderes Zertifikat als das eingetragene.`,
      'Wenn es dein eigener Server ist, prüfe sein Zertifikat und füge es (PEM) dem Konto hinzu.',
    ],
    'tls.wrong_name': ({ host }) => [
      `Das Zertifikat des Servers gilt für einen anderen Namen als ${host}.`,
      'Verwende den Servernamen, den dein Anbieter nennt, oder füge das Zertifikat (PEM) deines eigenen Servers hinzu.',
    ],
    'tls.expired': ({ host }) => [
      `Das Zertifikat von ${host} ist abgelaufen oder noch nicht gültig.`,
      'Erneuere das Zertifikat und prüfe die Uhr dieses Rechners.',
    ],
    'tls.no_starttls': ({ host }) => [
      `${host} bietet an diesem Port keine Verschlüsselung (STARTTLS) an.`,
      'Wähle TLS mit Port 993 oder 465. Ohne Verschlüsselung können andere im Netz das Passwort lesen.',
    ],
    'tls.not_tls': (server) => [
      `${formatAddress(server)} beginnt nicht mit TLS.`,
      'Wähle STARTTLS für diesen Port oder TLS mit Port 993 (IMAP) oder 465 (SMTP).',
    ],
    'tls.other': ({ host }) => [
      `Die TLS-Verbindung zu ${host} ist fehlgeschlagen.`,
      'Vielleicht unterstützt der Server TLS 1.2 nicht, oder der Port passt nicht zur gewählten Verschlüsselung.',
    ],
    'greeting.timeout': (server) => [
      `${formatAddress(server)} hat die Verbindung angenommen, aber keine Begrüßung gesendet.`,
      'Wenn der Port TLS erwartet, wähle TLS. Versuche es sonst später erneut.',
    ],
    'greeting.closed': (server) => [
      `${formatAddress(server)} hat die Verbindung vor der Begrüßung beendet.`,
      'Vielleicht verlangt der Port TLS, oder der Server sperrt diesen Rechner.',
    ],
    'login.credentials': ({ host }, response) => [
      `${host} hat Benutzername und Passwort abgelehnt${response}.`,
      'Prüfe beides. Konten mit Zwei-Faktor-Authentifizierung brauchen ein App-Passwort oder die Anmeldung beim Anbieter.',
    ],
    'login.signed_out': (_server, response) => [
      `Der Anbieter hat die Anmeldung abgelehnt${response}: Die Zustimmung ist abgelaufen oder wurde widerrufen.`,
      'Verbinde das Konto neu, indem du dich wieder beim Anbieter anmeldest.',
    ],
    'select.missing': ({ host }) => [
      `Die Anmeldung bei ${host} war erfolgreich, aber das Konto hat keinen Posteingang.`,
      'Frage deinen Anbieter, ob IMAP für das Konto aktiviert ist.',
    ],
  },
  otherwise: ({ host }, response) => [
    response === ''
      ? `${host} hat die Verbindung unerwartet beendet.`
      : `${host} hat die Anfrage abgelehnt${response}.`,
    /quota/i.test(response)
      ? 'Dein Postfach ist voll. Lösche E-Mails oder buche bei deinem Anbieter mehr Speicher.'
      : 'Versuche es später erneut. Wenn das Problem bleibt, frage deinen Anbieter.',
  ],
  quote: (response) => ` („${response}“)`,
  storageFull:
    'Dein Speicher ist voll, deshalb pausiert die Synchronisierung. Deine E-Mails bleiben auf dem Server. Lösche E-Mails oder bitte den Eigentümer dieser Instanz um mehr Speicher.',
  unexpectedError: 'Ein unerwarteter Fehler ist aufgetreten. Einzelheiten stehen im Log.',
  folderRefused: (host: string, response: string) =>
    `${host} hat die Änderung des Ordners abgelehnt: „${response}“.`,
  recipientRefused: 'Der Server hat den Empfänger abgelehnt.',
  refusals: {
    tooLarge: 'Sende weniger oder kleinere Anhänge, oder teile einen Link zu den Dateien.',
    mailboxFull: 'Das Postfach ist voll. Schaffe Platz oder bitte den Empfänger darum, dann sende erneut.',
    signIn: 'Prüfe das Passwort des Kontos unter Einstellungen → E-Mail-Konten, dann sende erneut.',
    sender: 'Der Server nimmt diesen Absender nicht an. Wähle einen anderen oder frage deinen Anbieter.',
    internationalAddress: 'Bitte um eine Adresse mit nur a–z vor dem @, oder sende von einem anderen Konto.',
    recipient: 'Prüfe die Adressen der Empfänger, dann sende erneut.',
    policy: 'Der Server lehnt die Nachricht nach seinen Regeln ab. Frage deinen Anbieter oder den Empfänger.',
    other: 'Ändere die Nachricht oder frage deinen Anbieter, dann sende erneut.',
  },
  notDelivered: (recipients) => `Nicht zugestellt an ${recipients}.`,
}
