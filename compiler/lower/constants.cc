// Constants in memory: strings, texts, images of values and defaults.

#include <cstring>

#include "abi/object_header.h"
#include "compiler/lower/unit_lowering.h"
#include "compiler/types/layout.h"

namespace tenure::compiler {

// Bytes with pointers among them.
class UnitLowering::ImageBuilder {
 public:
  ImageBuilder(UnitLowering& unit, int64_t bytes)
      : unit_(unit), bytes_(static_cast<size_t>(bytes), 0) {}

  void Value(const Constant& value, const Type* type, int64_t bit_offset) {
    const int64_t bits = BitSizeOf(type);
    type = Bare(type);
    switch (value.kind) {
      case Constant::Kind::kOrdinal:
        Bits(static_cast<uint64_t>(value.ordinal), bit_offset, bits);
        break;
      case Constant::Kind::kReal: {
        if (type->kind == TypeKind::kReal) {
          const float single = static_cast<float>(value.real);
          uint32_t word;
          std::memcpy(&word, &single, sizeof word);
          Bits(word, bit_offset, 32);
        } else {
          uint64_t word;
          std::memcpy(&word, &value.real, sizeof word);
          Bits(word, bit_offset, 64);
        }
        break;
      }
      case Constant::Kind::kNil: break;
      case Constant::Kind::kText:
      case Constant::Kind::kProcedure:
        pointers_[static_cast<size_t>(bit_offset / 8)] = unit_.ScalarConstant(value, type);
        break;
      case Constant::Kind::kSet:
        for (size_t w = 0; w < value.set_words.size(); ++w) {
          const int64_t at = static_cast<int64_t>(w) * 64;
          if (at < bits)
            Bits(value.set_words[w], bit_offset + at, std::min<int64_t>(64, bits - at));
        }
        break;
      case Constant::Kind::kRecord: {
        const auto* record = As<RecordType>(type);
        for (size_t i = 0; i < value.components.size(); ++i) {
          Value(*value.components[i], record->fields[i].type,
                bit_offset + PlaceOfField(record, i).bit_offset);
        }
        break;
      }
      case Constant::Kind::kArray: {
        const Type* element = As<ArrayType>(type) != nullptr ? As<ArrayType>(type)->element
                                                             : As<OpenArrayType>(type)->element;
        // The elements of an open array of open arrays have one shape.
        for (size_t i = 0; i < value.components.size(); ++i) {
          Value(*value.components[i], element,
                bit_offset + static_cast<int64_t>(i) * ElementBitsOf(value, type));
        }
        break;
      }
    }
  }

  void Default(const Type* type, int64_t bit_offset) {
    if (!NeedsInitialization(type)) return;
    const int64_t bits = BitSizeOf(type);
    type = Bare(type);
    if (IsOrdinal(type)) {
      Bits(static_cast<uint64_t>(FirstOf(type)), bit_offset, bits);
    } else if (const auto* array = As<ArrayType>(type)) {
      const int64_t stride = ElementBits(array);
      for (int64_t i = 0; i < ElementCountOf(array); ++i)
        Default(array->element, bit_offset + i * stride);
    } else if (const auto* record = As<RecordType>(type)) {
      for (size_t i = 0; i < record->fields.size(); ++i) {
        DefaultField(record->fields[i], bit_offset + PlaceOfField(record, i).bit_offset);
      }
    }
  }

  void DefaultPayload(const ObjectType* object) {
    for (; object != nullptr; object = SuperOf(object)) {
      for (size_t i = 0; i < object->fields.size(); ++i) {
        DefaultField(object->fields[i], PlaceOfField(object, i).bit_offset);
      }
    }
  }

  llvm::Constant* Finish() {
    if (pointers_.empty()) {
      const bool zero = std::all_of(bytes_.begin(), bytes_.end(), [](uint8_t b) { return b == 0; });
      if (zero)
        return llvm::ConstantAggregateZero::get(
            unit_.BytesType(static_cast<int64_t>(bytes_.size())));
      return llvm::ConstantDataArray::get(unit_.context, bytes_);
    }
    std::vector<llvm::Constant*> parts;
    size_t at = 0;
    auto add_bytes = [&](size_t end) {
      if (at < end) {
        parts.push_back(llvm::ConstantDataArray::get(
            unit_.context, llvm::ArrayRef<uint8_t>(bytes_.data() + at, end - at)));
      }
    };
    for (const auto& [offset, pointer] : pointers_) {
      add_bytes(offset);
      parts.push_back(pointer);
      at = offset + 8;
    }
    add_bytes(bytes_.size());
    return llvm::ConstantStruct::getAnon(unit_.context, parts, /*Packed=*/true);
  }

 private:
  static int64_t ElementBitsOf(const Constant& value, const Type* type) {
    const auto* open = As<OpenArrayType>(type);
    if (open == nullptr || open->element->kind != TypeKind::kOpenArray) return ElementBits(type);
    if (value.components.empty()) return 0;
    const Constant& first = *value.components[0];
    const int64_t bits =
        static_cast<int64_t>(first.components.size()) * ElementBitsOf(first, open->element);
    return HasPackedElements(open) && open->element->kind == TypeKind::kOpenArray &&
                   As<OpenArrayType>(open->element)->element->kind == TypeKind::kPacked
               ? PackedRowBytes(bits) * 8
               : bits;
  }

  void DefaultField(const Field& field, int64_t bit_offset) {
    if (field.default_value != nullptr) {
      Value(*field.default_value, field.type, bit_offset);
    } else {
      Default(field.type, bit_offset);
    }
  }

  void Bits(uint64_t value, int64_t bit_offset, int64_t count) {
    for (int64_t i = 0; i < count;) {
      const size_t byte = static_cast<size_t>((bit_offset + i) / 8);
      const int64_t shift = (bit_offset + i) % 8;
      const int64_t taken = std::min<int64_t>(8 - shift, count - i);
      const uint8_t mask = static_cast<uint8_t>(((1u << taken) - 1) << shift);
      const uint8_t part = static_cast<uint8_t>((i < 64 ? value >> i : 0) << shift);
      bytes_[byte] = static_cast<uint8_t>((bytes_[byte] & ~mask) | (part & mask));
      i += taken;
    }
  }

  UnitLowering& unit_;
  std::vector<uint8_t> bytes_;
  std::map<size_t, llvm::Constant*> pointers_;
};

namespace {

int64_t BytesOf(const Constant& value, const Type* type) {
  type = Bare(type);
  if (const auto* open = As<OpenArrayType>(type)) {
    if (value.components.empty()) return 0;
    if (open->element->kind == TypeKind::kPacked && HasPackedElements(open)) {
      return PackedRowBytes(static_cast<int64_t>(value.components.size()) * ElementBits(type));
    }
    return static_cast<int64_t>(value.components.size()) *
           BytesOf(*value.components[0], open->element);
  }
  return LayoutOf(type).bytes;
}

}  // namespace

llvm::Constant* UnitLowering::Image(const Constant& value, const Type* type) {
  ImageBuilder image(*this, BytesOf(value, type));
  image.Value(value, type->kind == TypeKind::kPacked ? Bare(type) : type, 0);
  return image.Finish();
}

llvm::Constant* UnitLowering::DefaultImage(const Type* type) {
  type = Bare(type);
  ImageBuilder image(*this, LayoutOf(type).bytes);
  image.Default(type, 0);
  return image.Finish();
}

llvm::Constant* UnitLowering::DefaultImageOfPayload(const ObjectType* object) {
  ImageBuilder image(*this, PayloadOf(object).bytes);
  image.DefaultPayload(object);
  return image.Finish();
}

llvm::GlobalVariable* UnitLowering::Static(llvm::Constant* contents, int64_t alignment) {
  llvm::GlobalVariable*& global = statics_[contents];
  if (global == nullptr) {
    global = new llvm::GlobalVariable(*module, contents->getType(), true,
                                      llvm::GlobalValue::PrivateLinkage, contents, "constant");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  }
  const llvm::Align wanted(static_cast<uint64_t>(std::max<int64_t>(alignment, 1)));
  if (global->getAlign().valueOrOne() < wanted) global->setAlignment(wanted);
  return global;
}

llvm::Constant* UnitLowering::Table(llvm::Type* element,
                                    const std::vector<llvm::Constant*>& elements) {
  if (elements.empty()) return Null();
  auto* contents =
      llvm::ConstantArray::get(llvm::ArrayType::get(element, elements.size()), elements);
  return Static(contents, 8);
}

llvm::Constant* UnitLowering::CString(const std::string& text) {
  llvm::Constant*& string = strings_[text];
  if (string == nullptr) string = Static(llvm::ConstantDataArray::getString(context, text), 1);
  return string;
}

llvm::Constant* UnitLowering::TextLiteral(const std::u32string& text, bool wide) {
  llvm::Constant*& reference = texts_[{text, wide}];
  if (reference != nullptr) return reference;
  const Type* type = wide ? program.text16_type : program.text8_type;
  // The object as the collector would see it (abi/type_descriptor.h): header, number of elements
  // with the final zero, elements. The object never moves and is never written.
  llvm::Constant* elements;
  uint64_t count;
  if (wide) {
    std::vector<uint16_t> units;
    for (const char32_t c : text) {
      if (c > 0xffff) {
        units.push_back(static_cast<uint16_t>(0xd800 + ((c - 0x10000) >> 10)));
        units.push_back(static_cast<uint16_t>(0xdc00 + ((c - 0x10000) & 0x3ff)));
      } else {
        units.push_back(static_cast<uint16_t>(c));
      }
    }
    units.push_back(0);
    count = units.size();
    elements = llvm::ConstantDataArray::get(context, units);
  } else {
    std::vector<uint8_t> bytes(text.begin(), text.end());
    bytes.push_back(0);
    count = bytes.size();
    elements = llvm::ConstantDataArray::get(context, bytes);
  }
  llvm::Constant* header = llvm::ConstantExpr::getPtrToInt(TypeDescriptorOf(type), i64);
  llvm::Constant* contents = llvm::ConstantStruct::getAnon(
      context, {header, Int(static_cast<int64_t>(count)), elements}, true);
  auto* global = new llvm::GlobalVariable(*module, contents->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, contents, "text");
  global->setAlignment(llvm::Align(8));
  reference = llvm::ConstantExpr::getInBoundsGetElementPtr(i8, global, Int(abi::kHeaderBytes));
  return reference;
}

llvm::Constant* UnitLowering::ScalarConstant(const Constant& value, const Type* type) {
  type = Bare(type);
  switch (value.kind) {
    case Constant::Kind::kOrdinal: return Int(value.ordinal);
    case Constant::Kind::kReal: return llvm::ConstantFP::get(ValueType(type), value.real);
    case Constant::Kind::kText: return TextLiteral(value.text, value.wide);
    case Constant::Kind::kSet:
      return Int(value.set_words.empty() ? 0 : static_cast<int64_t>(value.set_words[0]));
    case Constant::Kind::kProcedure:
      return value.procedure == nullptr ? Null() : CodeOf(value.procedure);
    default: return Null();
  }
}

}  // namespace tenure::compiler
