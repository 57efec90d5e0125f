import com.cloudhopper.commons.charset.CharsetUtil;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jsmpp.SMPPConstant;
import org.jsmpp.bean.*;
import org.jsmpp.extra.ProcessRequestException;
import org.jsmpp.session.*;
import org.jsmpp.session.connection.ServerConnection;
import org.jsmpp.session.connection.ServerConnectionFactory;
import org.jsmpp.session.connection.socket.ServerSocketConnection;
import org.jsmpp.util.DeliveryReceiptState;
import org.jsmpp.util.MessageId;

/**
 * An SMSC of the jsmpp library, which reads and writes all PDUs; the characters of GSM 03.38 are Cloudhopper's. It delivers
 * all that it is sent. Its ids are hexadecimal in responses and decimal in receipts, as those of jsmpp's own simulator.
 * Arguments, output and end are those of CloudhopperSmsc.java.
 */
public class JsmppSmsc {
    private static final Map<String, TreeMap<Integer, String>> unfinished = new ConcurrentHashMap<>();
    private static final AtomicInteger ids = new AtomicInteger(0x1a0000);
    private static final ScheduledExecutorService receipts = Executors.newScheduledThreadPool(1);

    public static void main(String[] args) throws Exception {
        ServerSocket socket = args.length > 0 ? secureSocket(args[0], args[1], args[2]) : plainSocket();
        SMPPServerSessionListener listener = new SMPPServerSessionListener(0, on(socket));
        listener.setMessageReceiverListener(new Submits());
        Thread accepting = new Thread(() -> accept(listener));
        accepting.setDaemon(true);
        accepting.start();
        System.out.println("port " + socket.getLocalPort());
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    private static ServerSocket plainSocket() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    }

    /** Clients need a certificate that the truststore knows. */
    private static ServerSocket secureSocket(String keystore, String truststore, String password) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(read(keystore, password), password.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(read(truststore, password));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        SSLServerSocket socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        socket.setNeedClientAuth(true);
        return socket;
    }

    private static KeyStore read(String path, String password) throws Exception {
        try (FileInputStream file = new FileInputStream(path)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(file, password.toCharArray());
            return store;
        }
    }

    /** The library does not tell which port it was given. */
    private static ServerConnectionFactory on(ServerSocket socket) {
        return new ServerConnectionFactory() {
            public ServerConnection listen(int port) {
                return new ServerSocketConnection(socket);
            }

            public ServerConnection listen(int port, int timeout) {
                return listen(port);
            }

            public ServerConnection listen(int port, int timeout, int backlog) {
                return listen(port);
            }
        };
    }

    private static void accept(SMPPServerSessionListener listener) {
        while (true)
            try {
                SMPPServerSession session = listener.accept();
                new Thread(() -> bind(session)).start();
            } catch (IOException refused) {
                // A client whose certificate was refused, or that left.
            }
    }

    private static void bind(SMPPServerSession session) {
        try {
            session.waitForBind(10_000).accept("jsmpp");
        } catch (Exception left) {
            session.close();
        }
    }

    private static class Submits implements ServerMessageReceiverListener {
        public SubmitSmResult onAcceptSubmitSm(SubmitSm submit, SMPPServerSession session)
                throws ProcessRequestException {
            int id = ids.incrementAndGet();
            take(submit);
            receipts.schedule(() -> report(session, submit, id), 20, TimeUnit.MILLISECONDS);
            try {
                return new SubmitSmResult(new MessageId(Integer.toHexString(id)), new OptionalParameter[0]);
            } catch (Exception error) {
                throw new ProcessRequestException(error.getMessage(), SMPPConstant.STAT_ESME_RSYSERR);
            }
        }

        public SubmitMultiResult onAcceptSubmitMulti(SubmitMulti request, SMPPServerSession session)
                throws ProcessRequestException {
            throw unknown();
        }

        public QuerySmResult onAcceptQuerySm(QuerySm request, SMPPServerSession session)
                throws ProcessRequestException {
            throw unknown();
        }

        public void onAcceptReplaceSm(ReplaceSm request, SMPPServerSession session) throws ProcessRequestException {
            throw unknown();
        }

        public void onAcceptCancelSm(CancelSm request, SMPPServerSession session) throws ProcessRequestException {
            throw unknown();
        }

        public BroadcastSmResult onAcceptBroadcastSm(BroadcastSm request, SMPPServerSession session)
                throws ProcessRequestException {
            throw unknown();
        }

        public void onAcceptCancelBroadcastSm(CancelBroadcastSm request, SMPPServerSession session)
                throws ProcessRequestException {
            throw unknown();
        }

        public QueryBroadcastSmResult onAcceptQueryBroadcastSm(QueryBroadcastSm request, SMPPServerSession session)
                throws ProcessRequestException {
            throw unknown();
        }

        public DataSmResult onAcceptDataSm(DataSm request, Session session) throws ProcessRequestException {
            throw unknown();
        }

        private static ProcessRequestException unknown() {
            return new ProcessRequestException("unknown command", SMPPConstant.STAT_ESME_RINVCMDID);
        }
    }

    private static void report(SMPPServerSession session, SubmitSm submit, int id) {
        try {
            Date now = new Date();
            DeliveryReceipt receipt = new DeliveryReceipt(
                    Integer.toString(id), 1, 1, now, now, DeliveryReceiptState.DELIVRD, "000", "");
            session.deliverShortMessage(
                    "",
                    TypeOfNumber.valueOf(submit.getDestAddrTon()),
                    NumberingPlanIndicator.valueOf(submit.getDestAddrNpi()),
                    submit.getDestAddress(),
                    TypeOfNumber.valueOf(submit.getSourceAddrTon()),
                    NumberingPlanIndicator.valueOf(submit.getSourceAddrNpi()),
                    submit.getSourceAddr(),
                    new ESMClass(MessageMode.DEFAULT, MessageType.SMSC_DEL_RECEIPT, GSMSpecificFeature.DEFAULT),
                    (byte) 0,
                    (byte) 0,
                    new RegisteredDelivery(0),
                    DataCodings.ZERO,
                    receipt.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (Exception error) {
            error.printStackTrace();
        }
    }

    private static void take(SubmitSm submit) {
        var payload = submit.getOptionalParameter(OptionalParameter.Message_payload.class);
        byte[] octets = payload == null ? submit.getShortMessage() : payload.getValue();
        byte[] header = submit.isUdhi() ? Arrays.copyOf(octets, (octets[0] & 0xff) + 1) : new byte[0];
        octets = Arrays.copyOfRange(octets, header.length, octets.length);
        String text = submit.getDataCoding() == 8
                ? new String(octets, StandardCharsets.UTF_16BE)
                : CharsetUtil.decode(octets, CharsetUtil.CHARSET_GSM);
        int[] place = header.length > 0 ? placeInHeader(header) : placeInTlvs(submit);
        int total = place[1], number = place[2];
        String key = submit.getSourceAddr() + " " + submit.getDestAddress() + " " + place[0] + " " + total;
        TreeMap<Integer, String> parts = unfinished.computeIfAbsent(key, (any) -> new TreeMap<>());
        synchronized (parts) {
            parts.put(number, text);
            if (parts.size() < total) return;
            unfinished.remove(key);
            print(submit, total, String.join("", parts.values()));
        }
    }

    /** Reference, total and number (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
    private static int[] placeInHeader(byte[] header) {
        boolean isWide = header[1] == 8;
        int reference = isWide ? (header[3] & 0xff) << 8 | header[4] & 0xff : header[3] & 0xff;
        int rest = isWide ? 5 : 4;
        return new int[] {reference, header[rest] & 0xff, header[rest + 1] & 0xff};
    }

    private static int[] placeInTlvs(SubmitSm submit) {
        var reference = submit.getOptionalParameter(OptionalParameter.Sar_msg_ref_num.class);
        if (reference == null) return new int[] {-1, 1, 1};
        return new int[] {
            reference.getValue() & 0xffff,
            submit.getOptionalParameter(OptionalParameter.Sar_total_segments.class).getValue() & 0xff,
            submit.getOptionalParameter(OptionalParameter.Sar_segment_seqnum.class).getValue() & 0xff,
        };
    }

    private static void print(SubmitSm submit, int total, String text) {
        StringBuilder tlvs = new StringBuilder();
        for (OptionalParameter tlv : submit.getOptionalParameters())
            if ((tlv.tag & 0xffff) >= 0x1400)
                tlvs.append(tlvs.length() > 0 ? "," : "")
                        .append(Integer.toHexString(tlv.tag & 0xffff))
                        .append('=')
                        .append(((OptionalParameter.OctetString) tlv).getValueAsString());
        String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        System.out.println("message " + submit.getDestAddress() + " " + total + " " + encoded + " "
                + (tlvs.length() > 0 ? tlvs : "-"));
    }
}
